-- The merchant of a purchase in its canonical form, so that what it asks of its buyers is read together with the code. Null
-- for wallet access, and in rows of before, which live for minutes.
ALTER TABLE pushed_requests ADD COLUMN merchant_audience text;
ALTER TABLE magic_links ADD COLUMN merchant_audience text;
ALTER TABLE authorization_codes ADD COLUMN merchant_audience text;
