# The site in production: docker-compose.yml shows what stands around it.

# The solver is compiled here and not when a container starts, which would take a minute, for any processor of the image's
# kind: numba finds its code again only where it is told of the same one. On the machines measured that is as fast as
# code made for one of them.

FROM python:3.13-slim AS build
ENV PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/compiled
WORKDIR /site
RUN python -m venv /venv
# Before the code, so that a change of code doesn't install everything again.
COPY requirements-build.txt requirements.txt ./
RUN /venv/bin/python -m pip install --require-hashes -r requirements-build.txt \
    && /venv/bin/python -m pip install --require-hashes --no-build-isolation --use-pep517 -r requirements.txt \
    && /venv/bin/python -m pip uninstall --yes setuptools
# Nor does a change of pages compile everything again.
COPY bakers/__init__.py bakers/
COPY bakers/rules bakers/rules
COPY bakers/solver bakers/solver
RUN /venv/bin/python -m bakers.solver
COPY . .
# In local mode, so that no secret is needed: the one made here stays behind in this stage.
RUN DATA_DIR=/tmp/build /venv/bin/python manage.py collectstatic --no-input --verbosity 0 \
    && /venv/bin/python -m compileall -q accounts bakers config

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin bakers \
    && install --directory --owner=bakers --mode=0700 /data
COPY --from=build /venv /venv
COPY --from=build /compiled /compiled
COPY --from=build /site /site
WORKDIR /site
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    DATA_DIR=/data \
    NUMBA_CPU_NAME=generic \
    NUMBA_CACHE_DIR=/tmp/compiled \
    HOST=0.0.0.0 \
    PORT=8000
USER bakers
EXPOSE 8000
ENTRYPOINT ["docker/start"]
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["python", "docker/healthcheck.py"]
CMD ["python", "-m", "gunicorn", "--config", "python:config.gunicorn"]
