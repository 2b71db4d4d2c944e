package components

import "testing"

// A list without inline room lies in its pool alone (checked pointers find it if not).
func TestListWithoutInlineRoom(t *testing.T) {
	var p Pool[Voyeur]
	l := new(List[Voyeur, [0]Voyeur])
	if len(l.Items(&p)) != 0 {
		t.Error("a new list is not empty")
	}
	for i := range uint32(20) {
		l.Push(&p, Voyeur{ID: i})
	}
	l.Remove(&p, 0, 18)
	if got := l.Items(&p); len(got) != 2 || got[0].ID != 18 || got[1].ID != 19 {
		t.Errorf("%+v", got)
	}
	l.Clear(&p)
	if l.Over != 0 || len(l.Items(&p)) != 0 {
		t.Errorf("%+v", *l)
	}
}
