package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/exec"
	"github.com/testcontainers/testcontainers-go/wait"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	container := must(testcontainers.Run(ctx, "fieldbench:0.1.0",
		testcontainers.WithExposedPorts("7443/tcp"),
		testcontainers.WithWaitStrategy(wait.ForHealthCheck())))
	defer func() { _ = testcontainers.TerminateContainer(container) }()
	read := func(file string) []byte {
		_, output, err := container.Exec(ctx, []string{"cat", file}, exec.Multiplexed())
		return must(io.ReadAll(must(output, err)))
	}
	var ready struct {
		Key string `json:"api_key"`
		CA  string `json:"ca_file"`
	}
	_ = must(0, json.Unmarshal(read("/data/ready.json"), &ready))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(read(ready.CA))
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	url := "https://" + must(container.PortEndpoint(ctx, "7443/tcp", ""))
	request := must(http.NewRequest("GET", url+"/v2/projects", nil))
	request.Header.Set("Authorization", "Bearer "+ready.Key)
	fmt.Println(string(must(io.ReadAll(must(client.Do(request)).Body))))
}
