-- Evidence about a payment needs the mandate as it was signed: its disclosures, whose salts cannot be had again, and the
-- mandate as it was presented to be settled. Neither can be made up for what was issued and settled before.
ALTER TABLE mandates ADD COLUMN disclosures text;
ALTER TABLE settlements ADD COLUMN sealed_presentation text;
