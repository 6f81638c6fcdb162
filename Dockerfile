# Built in one image, run in another that holds nothing but the program, roots of
# trust and a user without rights.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY internal/third ./internal/third
RUN go mod download
COPY . .
RUN apt-get update && apt-get install -y --no-install-recommends fonts-wqy-microhei && \
    mkdir -p /out/fonts && cp /usr/share/fonts/truetype/wqy/*.ttc /out/fonts/
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /out/hermes ./cmd/hermes && mkdir /out/data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/hermes /hermes
# Charts with Chinese names need a font that has them.
COPY --from=build /out/fonts /usr/share/fonts/truetype/wqy
COPY --from=build --chown=nonroot:nonroot /out/data /data
USER nonroot:nonroot
VOLUME /data
ENV HERMES_DATA=/data
# The page listens on the container's own loopback. To publish it, on purpose, name in a
# file who may come in (web.users), and mount it:
# -e HERMES_WEB_ADDR=0.0.0.0:8484 -e HERMES_WEB_ALLOW_REMOTE=true -p 127.0.0.1:8484:8484
# -v ./hermes.yaml:/hermes.yaml:ro … serve --config /hermes.yaml
ENTRYPOINT ["/hermes"]
CMD ["serve"]
