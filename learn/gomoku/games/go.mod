// This folder is a module of its own, so that users of krow's module do not download the games.
module github.com/krow-lab/krow/learn/gomoku/games

go 1.26.0
