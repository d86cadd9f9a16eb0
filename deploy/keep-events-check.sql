-- Fails unless the rule of keep-events.sql is in n8n's database and works. The check tries the rule on a temporary
-- table and leaves nothing behind.
BEGIN;

DO $$
DECLARE
	with_event text := '[{"resultData":"1","executionData":"2"},{"runData":"3"},{"nodeExecutionStack":"4"},{},["5"],{}]';
	no_data text := '[{"resultData":"1"},{"runData":"2"},{}]';
	kept text;
	not_understood int;
BEGIN
	IF NOT EXISTS (
		SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
		WHERE t.tgrelid = to_regclass('execution_data') AND t.tgname = 'keep_event'
			AND p.proname = 'n8n_keep_event' AND t.tgenabled <> 'D'
	) THEN
		RAISE EXCEPTION 'The rule is not in this database. Run "keep-events.sh apply".';
	END IF;

	CREATE TEMP TABLE keep_event_check (data text) ON COMMIT DROP;
	CREATE TRIGGER keep_event BEFORE UPDATE OF data ON keep_event_check
		FOR EACH ROW EXECUTE FUNCTION n8n_keep_event();
	INSERT INTO keep_event_check VALUES (with_event);
	UPDATE keep_event_check SET data = no_data RETURNING data INTO kept;
	IF kept IS DISTINCT FROM with_event THEN
		RAISE EXCEPTION 'The rule allows n8n to overwrite an event with "no data". Run "keep-events.sh apply" again.';
	END IF;
	UPDATE keep_event_check SET data = replace(with_event, '{}]', '{"other":"1"}]') RETURNING data INTO kept;
	IF kept = with_event THEN
		RAISE EXCEPTION 'The rule prevents n8n from storing results. Run "keep-events.sh remove".';
	END IF;

	-- A later version of n8n may store executions in another shape, in which the rule would not recognize an event.
	SELECT count(*) INTO not_understood FROM (
		SELECT d.data FROM execution_data d JOIN execution_entity e ON e.id = d."executionId"
		WHERE e.status = 'success' ORDER BY e.id DESC LIMIT 20
	) newest WHERE NOT n8n_has_work(data);
	IF not_understood > 0 THEN
		RAISE EXCEPTION 'The rule does not understand how this version of n8n stores executions (% of the newest 20).', not_understood;
	END IF;
END $$;

ROLLBACK;
