-- Pictures that merchants and buyers send in: decoded, judged and drawn anew before anything is kept.
create table assets (
  project_id text collate "C" not null,
  livemode boolean not null,
  id text collate "C" not null,
  purpose text not null check (purpose in ('collection_qr', 'payment_proof', 'logo')),
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
  size_bytes bigint not null check (size_bytes > 0),
  width int not null check (width > 0),
  height int not null check (height > 0),
  -- Of the stored bytes, and of the bytes as they came in.
  sha256 text not null,
  original_sha256 text not null,
  -- 256 bits of brightness gradients: pictures that look alike differ in few of them. A first sieve; asset_looks decides.
  phash bit(256) not null,
  decoded_payload text,
  decode_fault text check (decode_fault in ('no_code', 'several_codes')),
  storage_key text not null unique,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, livemode, id),
  check (decoded_payload is null or decode_fault is null)
);
create unique index assets_by_id on assets (id);
create index assets_by_original on assets (project_id, livemode, original_sha256);
create index assets_of_purpose on assets (project_id, livemode, purpose, created_at);

-- 64 × 128 grey values of a picture: copies of it, shrunk or saved anew, differ by a few shades, another receipt of the same layout by more.
create table asset_looks (
  project_id text collate "C" not null,
  livemode boolean not null,
  asset_id text collate "C" not null,
  shades bytea not null check (octet_length(shades) = 8192),
  primary key (project_id, livemode, asset_id),
  foreign key (project_id, livemode, asset_id) references assets (project_id, livemode, id) on delete cascade
);

-- Who leans on an asset; while a row stands, the asset cannot be deleted.
create table asset_uses (
  project_id text collate "C" not null,
  livemode boolean not null,
  asset_id text collate "C" not null,
  used_by text collate "C" not null,
  primary key (project_id, livemode, asset_id, used_by),
  foreign key (project_id, livemode, asset_id) references assets (project_id, livemode, id)
);

-- Stored bytes that no asset owns: written before bytes are put, taken back when the asset's row commits, written again when it goes.
create table unowned_files (
  storage_key text primary key,
  due_at timestamptz not null
);
create index unowned_files_due on unowned_files (due_at);
