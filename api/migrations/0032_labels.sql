-- What people say of addresses. `owner_id` is the account that alone sees a label, 0 where everybody does.
create table address_labels (
    id bigint primary key,
    owner_id bigint not null,
    address text not null,
    label text not null,
    label_type text not null,
    entity text not null,
    note text not null,
    -- 'hand', 'csv' or 'admin'
    source text not null,
    author text not null,
    created_at bigint not null,
    unique (owner_id, address, label)
);
create index address_labels_by_address on address_labels (address);
