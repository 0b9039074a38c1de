// golang.org/x/oauth2: the same story, with each way to send the secret that it has.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

type story struct{ Base, Authorize, ID, Secret, Redirect, Scope string }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expectUser(client *http.Client, base string) {
	response := must(client.Get(base + "/user"))
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		panic(response.Status)
	}
}

func main() {
	var s story
	if err := json.Unmarshal([]byte(os.Getenv("STORY")), &s); err != nil {
		panic(err)
	}
	ctx := context.Background()
	lines := bufio.NewReader(os.Stdin)
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleAutoDetect, oauth2.AuthStyleInHeader, oauth2.AuthStyleInParams} {
		scopes := []string{s.Scope}
		alone := clientcredentials.Config{ClientID: s.ID, ClientSecret: s.Secret, TokenURL: s.Base + "/oauth2/token", Scopes: scopes, AuthStyle: style}
		expectUser(alone.Client(ctx), s.Base)

		endpoint := oauth2.Endpoint{AuthURL: s.Authorize, TokenURL: alone.TokenURL, AuthStyle: style}
		config := oauth2.Config{ClientID: s.ID, ClientSecret: s.Secret, Endpoint: endpoint, RedirectURL: s.Redirect, Scopes: scopes}
		verifier := oauth2.GenerateVerifier()
		fmt.Println("open", config.AuthCodeURL("s", oauth2.S256ChallengeOption(verifier)))
		line := must(lines.ReadString('\n'))
		back := must(url.Parse(line[:len(line)-1]))
		token := must(config.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier)))
		token.Expiry = time.Now().Add(-time.Hour)
		expectUser(config.Client(ctx, token), s.Base)
	}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		fmt.Println("done", module.Version[1:])
	}
}
