-- Keeps the event of an execution that n8n could not finish. For n8n 2.41 in queue mode.
--
-- When a worker dies (kill -9, out of memory, power failure) or can't reach the database, n8n marks the
-- worker's executions as failed and overwrites their input with "no data". An event that n8n had already
-- responded to with 2xx would be lost. This rule prevents only this change: n8n still marks the execution as
-- failed, but the execution keeps its event, and "Retry" runs it.
--
-- Run this file after n8n has created its tables. Running it twice does no harm. keep-events.sh applies,
-- checks and removes the rule.

-- Whether stored data contains anything: nodes that have run, or nodes that still have to run, with their items.
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
	-- This rule doesn't know the shape of the data, so let n8n write what it wants.
	RETURN NEW;
END $$;

-- "No data" is short, because it contains only an error. Longer data therefore doesn't have to be read.
CREATE OR REPLACE TRIGGER keep_event BEFORE UPDATE OF data ON execution_data
	FOR EACH ROW WHEN (length(NEW.data) < 20000) EXECUTE FUNCTION n8n_keep_event();
