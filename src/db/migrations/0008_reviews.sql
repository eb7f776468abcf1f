-- Changes of a task and what ends a review's tasks (close, delete) exclude each other. Who changes tasks joins the others who do, in front of
-- every row of a task; who ends them waits for all of these to commit, and they for that one. The order everywhere: the row in reviews, this
-- lock, the rows in tasks by id, then the rest.
--
-- It is no row lock: FOR SHARE lets newcomers past somebody who waits to change the row, so a close would wait as long as reviewers decide.
-- Advisory locks are a queue. They also write nothing, where each FOR SHARE writes to the one row that all reviewers of a review share.

-- Joins those who change tasks of a review, to the end of the transaction; whether its tasks can be changed. VOLATILE, so that the state is
-- read behind the lock even in the middle of a statement.
CREATE FUNCTION join_task_changes(for_tenant text, of_review text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('countersign.tasks.' || for_tenant || '/' || of_review, 8));
  RETURN EXISTS (SELECT FROM task_reviews b WHERE b.tenant_id = for_tenant AND b.id = of_review AND b.state = 'OPEN');
END $$;

-- Waits for those who change tasks of a review, and keeps others from it to the end of the transaction.
CREATE FUNCTION stop_task_changes(for_tenant text, of_review text) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('countersign.tasks.' || for_tenant || '/' || of_review, 8));
END $$;

-- A job that somebody called off has not failed: nobody has to look at it.
SELECT restrict_values('jobs', 'state', ARRAY['WAITING', 'DONE', 'FAILED', 'CANCELLED']);
UPDATE jobs SET state = 'CANCELLED', error = '' WHERE state = 'FAILED' AND error = 'Cancelled.';

-- A task that passed to others because somebody can no longer review.
SELECT restrict_values('task_actions', 'kind', ARRAY['APPROVED', 'DENIED', 'COMMENTED', 'REASSIGNED', 'RESTARTED', 'ENDED', 'HANDED_OVER']);

-- The list of what deleted reviews leave.
CREATE INDEX reviews_deleted ON reviews (tenant_id, id) WHERE state = 'DELETED';
