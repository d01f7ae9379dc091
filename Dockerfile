# One image for every Cantina service of docker-compose.yml.
FROM python:3.13-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 DATA=/data STATIC_ROOT=/srv/static
WORKDIR /srv/cantina

# IMPROVE=1 brings the solver that searches for better plans of a hall, 170 MB.
ARG IMPROVE=""
COPY requirements/base.lock requirements/improve.lock requirements/
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/base.lock \
 && if [ -n "$IMPROVE" ]; then pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/improve.lock; fi

COPY . .
RUN python -m bin.messages compile \
 && SECRET_KEY=only-for-this-step python manage.py collectstatic --no-input --verbosity=0 \
 && useradd --no-create-home cantina \
 && install -d -o cantina /data

USER cantina
VOLUME /data
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--blocking-threads", "8", "config.wsgi:application"]
