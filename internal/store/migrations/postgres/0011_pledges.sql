-- What calls under way will probably cost, of all replicas, until their run is saved. What
-- is lost with the server was under way.
CREATE UNLOGGED TABLE pledges (
  seq   BIGSERIAL PRIMARY KEY,
  run   text NOT NULL,
  asker text NOT NULL,
  home  text NOT NULL,
  job   text NOT NULL,
  tokens bigint NOT NULL,
  nanos  bigint NOT NULL,
  until timestamptz NOT NULL -- then its replica has died
);
CREATE INDEX pledges_run ON pledges (run);
