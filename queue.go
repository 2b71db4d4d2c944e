package gait

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems"
)

// inputKind says what an input is.
type inputKind uint8

const (
	inMessage inputKind = iota
	inAction            // a message of a client's
	inCommand
	inSpawn
	inRemove
	inViewer

	inputKinds = int(iota)
)

// input is one input that waits. What it carries lies in its queue.
type input struct {
	source  uint32
	guid    uint32 // of the client, or who is removed
	kind    inputKind
	at      int // in bytes, commands, spawns or viewers
	length  int // in bytes, or of a command's actions
	actions int // where those begin
}

// viewer is where the viewer is from now on, or that there is none.
type viewer struct {
	at    Position
	there bool
}

// queue holds inputs in order of arrival. Two take turns, so that inputs come in
// while a tick reads what came before.
type queue struct {
	inputs   []input
	bytes    []byte
	commands []Command
	actions  []components.Action
	spawns   []Spawn
	viewers  []viewer
	size     int // bytes of all that, as Options.MaxWaiting counts
}

const (
	inputBytes   = int(unsafe.Sizeof(input{}))
	commandBytes = int(unsafe.Sizeof(Command{}))
	actionBytes  = int(unsafe.Sizeof(components.Action{}))
	spawnBytes   = int(unsafe.Sizeof(Spawn{}))
	viewerBytes  = int(unsafe.Sizeof(viewer{}))
)

// empty empties a queue, and keeps the room of what is usual.
func (q *queue) empty() {
	q.inputs, q.bytes, q.commands = reuse(q.inputs), reuse(q.bytes), reuse(q.commands)
	q.actions, q.spawns, q.viewers = reuse(q.actions), reuse(q.spawns), reuse(q.viewers)
	q.size = 0
}

// reuse empties a buffer; one that is far larger than what was in it goes.
func reuse[T any](buffer []T) []T {
	const always = 1 << 18 // bytes
	var one T
	if cap(buffer)*int(unsafe.Sizeof(one)) > always && len(buffer) < cap(buffer)/16 {
		return nil
	}
	return buffer[:0]
}

// sort puts inputs into the order in which they are applied: by source, those of
// one source as they came.
func (q *queue) sort() {
	bySource := func(a, b input) int { return cmp.Compare(a.source, b.source) }
	if !slices.IsSortedFunc(q.inputs, bySource) {
		slices.SortStableFunc(q.inputs, bySource)
	}
}

// enter makes room for an input that carries some bytes. Unless it refuses, the
// queue is the caller's until it calls enqueue.
func (e *Engine) enter(size int) (*queue, error) {
	e.mu.Lock()
	q := &e.waiting
	err := e.shut
	if err == nil && q.size+inputBytes+size > e.options.MaxWaiting {
		err, e.full = ErrFull, true
	}
	if err != nil {
		e.refused[reasonOf(err)]++
		e.mu.Unlock()
		return nil, err
	}
	q.size += inputBytes + size
	return q, nil
}

// enqueue adds the input for which there is room, and lets others at the queue.
func (e *Engine) enqueue(in input) {
	e.waiting.inputs = append(e.waiting.inputs, in)
	e.taken[in.kind]++
	e.mu.Unlock()
}

// refuse counts an input that was refused at once, and returns why.
func (e *Engine) refuse(err error) error {
	e.mu.Lock()
	e.refused[reasonOf(err)]++
	e.mu.Unlock()
	return err
}

// take has the queue of inputs handed to the engine below. keep says that they
// must outlive the queue: no tick follows at once.
func (e *Engine) take(keep bool) {
	e.mu.Lock()
	e.waiting, e.handed = e.handed, e.waiting
	full := e.full
	e.full = false
	e.mu.Unlock()
	if full {
		e.options.Log.Warn("inputs were refused: too many wait", "limit_bytes", e.options.MaxWaiting, "waiting", len(e.handed.inputs))
	}
	q := &e.handed
	q.sort()
	for i := range q.inputs {
		in := &q.inputs[i]
		var guid uint32
		var err error
		switch in.kind {
		case inMessage:
			err = e.engine.Inbound(q.bytes[in.at:][:in.length])
		case inAction:
			guid, err = in.guid, e.engine.ClientAction(in.guid, q.bytes[in.at:][:in.length])
		case inCommand:
			c := q.commands[in.at]
			if in.length > 0 {
				c.Actions = q.actions[in.actions:][:in.length:in.length]
				if keep {
					c.Actions = slices.Clone(c.Actions)
				}
			}
			guid, err = c.Guid, e.engine.Command(c)
		case inSpawn:
			s := &q.spawns[in.at]
			guid, err = s.Guid, e.engine.Spawn(*s)
		case inRemove:
			guid = in.guid
			if !e.engine.Remove(guid) {
				err = systems.ErrUnknown
			}
		case inViewer:
			v := &q.viewers[in.at]
			at := &v.at
			if !v.there {
				at = nil
			}
			err = e.engine.SetViewer(at)
		}
		if err != nil {
			e.late = append(e.late, Outcome{Guid: guid, Verdict: systems.Refused, Err: err})
		}
	}
	if keep {
		q.empty()
	}
}
