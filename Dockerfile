# Thimble in a container: built in one image, run in a small one that has a C compiler, since longer runs of process models are compiled.
#
#   docker build -t thimble .
#   docker run --rm -v "$PWD:/model" --user "$(id -u):$(id -g)" thimble check model.pml
#
# The budget is a part of what the container has: --memory of docker run is respected (cgroup).
FROM debian:12-slim AS build
WORKDIR /source
COPY . .
RUN tools/setup && make -j"$(nproc)" && make install DESTDIR=/image PREFIX=/usr/local

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc libc6-dev libexpat1 libjansson4 libmicrohttpd12 libsqlite3-0 libzstd1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 thimble \
 && install -d -o thimble -g thimble /model
COPY --from=build /image/usr/local /usr/local
USER thimble
WORKDIR /model
VOLUME /model
ENTRYPOINT ["thimble"]
CMD ["help"]
