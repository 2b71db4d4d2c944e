package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// ScanMax is how many remotes a scan goes up to that is not told.
const ScanMax = 1_000_000

// ScanRemotes returns the numbers of remotes that a scan up to n goes through: 1,
// 3, 10, 30, … thousand, and n.
func ScanRemotes(n int) []int {
	var counts []int
	for k := 1000; k < n; k *= 10 {
		counts = append(counts, k)
		if 3*k < n {
			counts = append(counts, 3*k)
		}
	}
	return append(counts, n)
}

// Scan runs a configuration for every number of remotes with every number of
// workers, of which none may be missing, and calls each with every result. It
// refuses with [ErrAnswer] when the number of workers shows in a state.
func Scan(c Config, remotes, workers []int, each func(*Result) error) error {
	progress := c.Progress
	for _, n := range remotes {
		hash := ""
		for _, w := range workers {
			c.Remotes, c.Workers = n, w
			if progress != nil {
				c.Progress = func(stage string, done, total int) {
					progress(fmt.Sprintf("%d remotes, %d workers: %s", n, w, stage), done, total)
				}
			}
			r, err := Run(c)
			if err != nil {
				return err
			}
			if hash == "" {
				hash = r.Hash
			}
			if r.Hash != hash {
				return fmt.Errorf("%w: state %s of %d remotes with %d workers, %s with %d", ErrAnswer, hash, n, workers[0], r.Hash, w)
			}
			if err := each(&r); err != nil {
				return err
			}
		}
	}
	return nil
}

// growthFrom is the number of remotes that a table of growth compares with, or the
// most below it.
const growthFrom = 100_000

// WriteGrowth writes the results of a scan as a table, a line each: growth is how
// a remote's cost compares with that at 100,000, or the most there are up to that,
// speed-up with that of the fewest workers.
func WriteGrowth(w io.Writer, results []Result) error {
	if len(results) == 0 {
		return nil
	}
	r := &results[0]
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "load %s, sweep %s, %d ticks\n", r.Load, r.Sweep, r.Ticks)
	fmt.Fprintln(t, "remotes\tworkers\tns/remote\t× floor\tgrowth\tspeed-up\tp50 ms\tp99 ms\tbytes\tGC CPU\tGC pause ms\tone GC ms\tpauses ms\t")
	for i := range results {
		r := &results[i]
		growth, speedUp := 1.0, 1.0
		if from := largest(results, r); from != nil {
			growth = r.NsMedian / from.NsMedian
		}
		if k := slices.IndexFunc(results, func(o Result) bool { return o.Remotes == r.Remotes }); k >= 0 {
			speedUp = results[k].NsMedian / r.NsMedian
		}
		fmt.Fprintf(t, "%d\t%d\t%.1f\t%.2f\t%.2f\t%.2f\t%.3f\t%.3f\t%.0f\t%.2f %%\t%.3f\t%.1f\t%.3f\t\n", r.Remotes, r.Workers, r.NsMedian, r.TimesFloor,
			growth, speedUp, r.TickMsP50, r.TickMsP99, r.BytesPerRemote, 100*r.GCShare, r.GCPauseMs, r.OneGCMs, r.OneGCPauseMs)
	}
	return t.Flush()
}

// largest returns the result that the growth of r counts from.
func largest(results []Result, r *Result) (from *Result) {
	for i := range results {
		o := &results[i]
		if o.Workers == r.Workers && (from == nil || o.Remotes > from.Remotes && o.Remotes <= growthFrom) {
			from = o
		}
	}
	return from
}
