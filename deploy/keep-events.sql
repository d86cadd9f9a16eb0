-- Keeps the event of an execution that n8n could not finish. For n8n 2.41 in queue mode.
--
-- When a worker dies (kill -9, out of memory, power), or cannot reach the database, n8n marks the
-- executions that it had taken as failed and writes "no data" over what they were started with. An
-- event that had been answered 2xx would be gone. This rule of the database refuses that one
-- change: the execution is marked as failed all the same, keeps its event, and "Retry" runs it.
--
-- To be run once n8n has made its tables; again does no harm. keep-events.sh applies, checks and
-- removes it.

-- Whether stored data hold anything: nodes that ran, or nodes that are to run with their items.
-- n8n stores a list whose entries refer to each other by their index.
CREATE OR REPLACE FUNCTION n8n_has_work(stored text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	list jsonb := stored::jsonb;
	result jsonb := list -> (list #>> '{0,resultData}')::int;
	execution jsonb := list -> (list #>> '{0,executionData}')::int;
BEGIN
	RETURN coalesce(list -> (result ->> 'runData')::int, '{}') <> '{}'
		OR coalesce(list -> (execution ->> 'nodeExecutionStack')::int, '[]') <> '[]';
END $$;

CREATE OR REPLACE FUNCTION n8n_keep_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT n8n_has_work(NEW.data) AND n8n_has_work(OLD.data) THEN
		NEW.data := OLD.data;
	END IF;
	RETURN NEW;
EXCEPTION WHEN OTHERS THEN
	-- Data of a shape that this does not know: n8n's word goes.
	RETURN NEW;
END $$;

-- "No data" is short, an error and nothing else, so that whatever is longer need not be read.
CREATE OR REPLACE TRIGGER keep_event BEFORE UPDATE OF data ON execution_data
	FOR EACH ROW WHEN (length(NEW.data) < 20000) EXECUTE FUNCTION n8n_keep_event();
