-- Removes what keep-events.sql has added to n8n's database. Running it twice does no harm.
SET client_min_messages = warning;
DROP TRIGGER IF EXISTS keep_event ON execution_data;
DROP FUNCTION IF EXISTS n8n_keep_event(), n8n_has_work(text);
