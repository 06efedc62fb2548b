package main

// Hello says who answers.
type Hello struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Module   string   `json:"module"`
	Protocol int      `json:"protocol"`
	Releases []string `json:"releases"`
	Features []string `json:"features"`
}

// hello names the published module, and the plug-ins of kube-scheduler whose verdicts it claims to give.
func hello() Hello {
	return Hello{
		Name:     name,
		Version:  version,
		Module:   module + " " + version,
		Protocol: 1,
		Releases: []string{release},
		Features: append(claims(), features...),
	}
}

// claims returns a feature for each claimed plug-in.
func claims() []string {
	var all []string
	for _, plugin := range claimed {
		all = append(all, "fits."+plugin)
	}
	return all
}

// Malformed is the answer to a question without a decision; Seq is null where it could not be read.
type Malformed struct {
	Seq   *int64   `json:"seq"`
	Error *Problem `json:"error"`
}

func malformed(seq *int64, problem *Problem) Malformed { return Malformed{seq, problem} }

// Skipped is the answer to a question outside of what the implementation claims.
type Skipped struct {
	Seq     *int64 `json:"seq"`
	Skipped string `json:"skipped"`
}

// Fits is the answer to run: a verdict for each node.
type Fits struct {
	Seq  *int64             `json:"seq"`
	Fits map[string]Verdict `json:"fits"`
}

// Verdict is true if the pod fits, a Rejection if it does not, and a text about what is not claimed if it is not known.
type Verdict any

const fits = true

// Rejection says by which criterion a node does not take the pod: the plug-in of kube-scheduler that has the same criterion,
// if one has, and the implementation's own words, without names and amounts.
type Rejection struct {
	Plugin  string   `json:"plugin,omitempty"`
	Reasons []string `json:"reasons"`
}

func rejected(plugin, reason string) Verdict { return Rejection{plugin, []string{reason}} }
