package wire

import "testing"

func benchMovement(b *testing.B, m *Movement) {
	buf := mustAppend(b, m)
	var d Decoder
	var v Movement
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Movement(buf, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeMovementState(b *testing.B) {
	m := movement(TypeState)
	m.Body.State = NewState()
	m.Body.State.Forward, m.Body.State.Turn, m.Body.State.ForwardSpeed = 7, 0xD, 1.5
	m.Body.Sticky = 0
	m.Body.Fresh()
	benchMovement(b, m)
}

func BenchmarkDecodeMovementToObject(b *testing.B) { benchMovement(b, movement(TypeMoveToObject)) }

func BenchmarkDecodeMovementTurn(b *testing.B) { benchMovement(b, movement(TypeTurnToObject)) }

func BenchmarkDecodePosition(b *testing.B) {
	buf := mustAppend(b, &PositionEvent{Guid: 1, Pack: pack()})
	var d Decoder
	var v PositionEvent
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Position(buf, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeVector(b *testing.B) {
	buf := mustAppend(b, &VectorUpdate{Guid: 1})
	var d Decoder
	var v VectorUpdate
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Into(buf, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeCreate(b *testing.B) {
	buf := mustAppend(b, create(false))
	var d Decoder
	var v Create
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Into(buf, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeMoveToState(b *testing.B) {
	buf := mustAppend(b, &MoveToState{Raw: fullRaw(0), Place: here})
	var d Decoder
	var v MoveToState
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Into(buf, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func benchAppend(b *testing.B, m Message) {
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Append(buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendMovement(b *testing.B) { benchAppend(b, movement(TypeMoveToObject)) }
func BenchmarkAppendPosition(b *testing.B) { benchAppend(b, &PositionEvent{Guid: 1, Pack: pack()}) }

func BenchmarkParkAndTake(b *testing.B) {
	var p Parked
	buf := mustAppend(b, movement(TypeMoveToObject))
	b.ReportAllocs()
	for b.Loop() {
		for g := range uint32(8) {
			p.Add(g+1, 0, buf)
		}
		for g := range uint32(8) {
			p.Take(g + 1)
		}
	}
}
