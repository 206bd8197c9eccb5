-- The newest attempts of a job that ended without a result, by their numbers; null where there are none. A function, so that
-- statements that give a job, and nearly never have any, don't set the query up each time.
CREATE FUNCTION job_attempts(id uuid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_object('attempt', attempt, 'startedAt', (extract(epoch FROM started_at) * 1000000)::bigint,
        'endedAt', (extract(epoch FROM ended_at) * 1000000)::bigint, 'problem', problem) ORDER BY attempt)
    FROM (SELECT a.* FROM job_attempt a WHERE a.job_id = id ORDER BY a.attempt DESC LIMIT 20) AS newest
$$;
