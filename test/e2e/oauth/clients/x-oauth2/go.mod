module story

go 1.25.0

require golang.org/x/oauth2 v0.38.0
