-- Where the operator's changes of a merchant's account and fee are mailed. It is in no view: only the operator's API shows it.
ALTER TABLE merchants ADD COLUMN contact_email text;
