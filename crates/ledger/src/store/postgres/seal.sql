-- The last step of a set-up: from here on no entry and no definition is changed. Running it again changes nothing.
UPDATE incrowd.definition SET apart = incrowd.apart_by(text) WHERE apart IS NULL;

CREATE OR REPLACE FUNCTION incrowd.is_never_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'an entry is never changed or removed';
END $$;
CREATE TRIGGER incrowd_entry_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON incrowd.entry
  FOR EACH STATEMENT EXECUTE FUNCTION incrowd.is_never_changed();
CREATE TRIGGER incrowd_definition_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON incrowd.definition
  FOR EACH STATEMENT EXECUTE FUNCTION incrowd.is_never_changed();
