package main

import (
	"io"
	"net/http"
	"strings"
)

// withoutQuotas answers in place of an API server that has the kind ElasticQuota and no object of it. It keeps watches open.
type withoutQuotas struct{}

func (withoutQuotas) RoundTrip(request *http.Request) (*http.Response, error) {
	const group = "scheduling.x-k8s.io"
	query := request.URL.Query()
	response := &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Request:    request,
	}
	var body string
	switch request.URL.Path {
	case "/api":
		body = `{"kind":"APIVersions","versions":["v1"]}`
	case "/api/v1":
		body = `{"kind":"APIResourceList","groupVersion":"v1","resources":[]}`
	case "/apis":
		body = `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"` + group + `","versions":[{"groupVersion":"` +
			group + `/v1alpha1","version":"v1alpha1"}],"preferredVersion":{"groupVersion":"` + group +
			`/v1alpha1","version":"v1alpha1"}}]}`
	case "/apis/" + group:
		body = `{"kind":"APIGroup","apiVersion":"v1","name":"` + group + `","versions":[{"groupVersion":"` + group +
			`/v1alpha1","version":"v1alpha1"}],"preferredVersion":{"groupVersion":"` + group + `/v1alpha1","version":"v1alpha1"}}`
	case "/apis/" + group + "/v1alpha1":
		body = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"` + group +
			`/v1alpha1","resources":[{"name":"elasticquotas","singularName":"elasticquota","namespaced":true,` +
			`"kind":"ElasticQuota","verbs":["get","list","watch"]}]}`
	case "/apis/" + group + "/v1alpha1/elasticquotas":
		switch {
		case query.Get("sendInitialEvents") == "true":
			response.StatusCode = http.StatusBadRequest
			body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","code":400}`
		case query.Get("watch") != "":
			reader, writer := io.Pipe()
			go func() {
				<-request.Context().Done()
				writer.Close()
			}()
			response.Body = reader
			return response, nil
		default:
			body = `{"kind":"ElasticQuotaList","apiVersion":"` + group +
				`/v1alpha1","metadata":{"resourceVersion":"1"},"items":[]}`
		}
	default:
		response.StatusCode = http.StatusNotFound
		body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
	}
	response.Body = io.NopCloser(strings.NewReader(body))
	return response, nil
}
