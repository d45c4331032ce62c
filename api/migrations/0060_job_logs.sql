-- What a job said while it ran, written down when it ended: a JSON list of {"time", "text"}.
create table job_logs (
    job_id text primary key references jobs (id) on delete cascade,
    lines text not null
);
