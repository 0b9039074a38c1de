// Makes the calls that it reads from standard input, one JSON object a line, with the gRPC of Pulumi's engine, for the conformance tests of our
// server. Writes the result of each call as soon as it ends, and ends with its standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

type call struct {
	Id       int
	Path     string
	Messages [][]byte
	// Whether the request and the response are streams.
	Sends, Receives bool
	Compressed      bool
	CancelAfterMs   int
}

type result struct {
	Id       int      `json:"id"`
	Code     int      `json:"code"`
	Details  string   `json:"details"`
	Messages [][]byte `json:"messages"`
	// The status in its binary form, if the server sent one.
	Status []byte `json:"status,omitempty"`
}

// unchanged passes messages on as they are.
type unchanged struct{}

func (unchanged) Name() string                      { return "proto" }
func (unchanged) Marshal(value any) ([]byte, error) { return *value.(*[]byte), nil }
func (unchanged) Unmarshal(data []byte, value any) error {
	*value.(*[]byte) = append([]byte{}, data...)
	return nil
}

func main() {
	const limit = 400 * 1024 * 1024
	connection, err := grpc.NewClient("passthrough:///"+os.Args[1],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(unchanged{}), grpc.MaxCallRecvMsgSize(limit)))
	if err != nil {
		log.Fatal(err)
	}
	var output sync.Mutex
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var one call
		if err := json.Unmarshal(line, &one); err != nil {
			log.Fatal(err)
		}
		go func() {
			messages, err := makeCall(connection, one)
			said := status.Convert(err)
			ended := result{Id: one.Id, Code: int(said.Code()), Details: said.Message(), Messages: messages}
			if len(said.Details()) > 0 {
				ended.Status, _ = proto.Marshal(said.Proto())
			}
			text, _ := json.Marshal(ended)
			output.Lock()
			defer output.Unlock()
			fmt.Println(string(text))
		}()
	}
}

func makeCall(connection *grpc.ClientConn, one call) ([][]byte, error) {
	background, cancel := context.WithCancel(context.Background())
	defer cancel()
	if one.CancelAfterMs > 0 {
		time.AfterFunc(time.Duration(one.CancelAfterMs)*time.Millisecond, cancel)
	}
	options := []grpc.CallOption{}
	if one.Compressed {
		options = append(options, grpc.UseCompressor("gzip"))
	}
	description := &grpc.StreamDesc{ClientStreams: one.Sends, ServerStreams: one.Receives}
	stream, err := connection.NewStream(background, description, one.Path, options...)
	if err != nil {
		return nil, err
	}
	for _, message := range one.Messages {
		// The reason of a broken stream is what is received.
		if err := stream.SendMsg(&message); err != nil {
			break
		}
	}
	_ = stream.CloseSend()
	received := [][]byte{}
	for {
		var message []byte
		err := stream.RecvMsg(&message)
		if err == io.EOF {
			return received, nil
		}
		if err != nil {
			return received, err
		}
		received = append(received, message)
		if !one.Receives {
			return received, nil
		}
	}
}
