-- The clock that windows are counted on. Those of several nodes may differ; this one is the same for all of them.
create function limit_clock_ms() returns bigint language sql volatile as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;

-- Windows of the rate limits, where several processes share them and there is no Redis: nothing that a crash needs to bring back.
create unlogged table limit_windows (
  name text collate "C" primary key,
  used int not null,
  -- Places that the last request for some was given.
  granted int not null,
  ends_at_ms bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index limit_windows_ended on limit_windows (ends_at_ms);
