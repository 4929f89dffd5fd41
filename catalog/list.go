// SPDX-License-Identifier: Apache-2.0

package catalog

// Item is a line of a listing.
type Item struct {
	Kind  string `json:"kind"` // game, player, heuristic, learner or target (of learners)
	Name  string `json:"name"`
	Usage string `json:"usage"` // the name and its arguments
	Doc   string `json:"doc"`
	Cite  string `json:"cite,omitempty"`
}

// Kinds returns what List accepts.
func Kinds() []string { return []string{"games", "players", "heuristics", "learners", "targets"} }

// List returns everything of a kind, or nil if there is no such kind.
func List(kind string) []Item {
	switch kind {
	case "games":
		return items("game", games)
	case "players":
		return items("player", players)
	case "heuristics":
		return items("heuristic", heuristics)
	case "learners":
		return items("learner", learners)
	case "targets":
		return items("target", targets)
	}
	return nil
}

func items[F any](kind string, table []Entry[F]) []Item {
	list := make([]Item, len(table))
	for i, e := range table {
		list[i] = Item{kind, e.Name, e.Usage(), e.Doc, e.Cite}
	}
	return list
}
