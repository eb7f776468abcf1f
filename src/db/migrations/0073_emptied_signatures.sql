-- What a signature says of people goes with the content of its review. The event of the signature vouches for the ID token by its hash, which stays:
-- SHA-256 in hex of a token that was erased, empty otherwise.
ALTER TABLE step_up_transactions ADD COLUMN id_token_sha256 text NOT NULL DEFAULT '';
