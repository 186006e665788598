-- Every start asks which keys values are sealed under; these two tables keep too many to be read for it.
CREATE INDEX settlements_sealing_key ON settlements
  ((CASE WHEN sealed_presentation LIKE 'v2.%' THEN split_part(sealed_presentation, '.', 2) ELSE '' END))
  WHERE sealed_presentation IS NOT NULL;

CREATE INDEX messages_sealing_key ON messages
  ((CASE WHEN sealed_content LIKE 'v2.%' THEN split_part(sealed_content, '.', 2) ELSE '' END))
  WHERE sealed_content IS NOT NULL;
