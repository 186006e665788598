-- Requests with tokens are counted apart from those in the portal, so that no agent uses up the person's right there.
ALTER TABLE privacy_requests ADD COLUMN via text NOT NULL DEFAULT 'token' CHECK (via IN ('portal', 'token'));
