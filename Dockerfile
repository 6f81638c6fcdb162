# Built in one image, run in another that holds nothing but the program, roots of
# trust and a user without rights.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY internal/third ./internal/third
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /out/hermes ./cmd/hermes && mkdir /out/data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/hermes /hermes
COPY --from=build --chown=nonroot:nonroot /out/data /data
USER nonroot:nonroot
VOLUME /data
ENV HERMES_DATA=/data
EXPOSE 8484
ENTRYPOINT ["/hermes"]
CMD ["serve"]
