set local role cs_owner;

-- Who invited, as the mail says; null in invitations from before this file.
alter table directory.invitations add column inviter text;
