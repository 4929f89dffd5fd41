module github.com/krow-lab/krow

go 1.26.0
