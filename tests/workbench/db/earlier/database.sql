-- A database that Assay made at commit e44e91f, with sqlite3's .dump. People judged, edited rules and took an item out.
PRAGMA application_id=1095979865;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES('0002');
CREATE TABLE campaigns (
	id INTEGER NOT NULL,
	name VARCHAR(200) NOT NULL,
	CONSTRAINT pk_campaigns PRIMARY KEY (id),
	CONSTRAINT uq_campaigns_name UNIQUE (name)
);
INSERT INTO campaigns VALUES(1,'WMT21');
INSERT INTO campaigns VALUES(2,'WMT20');
CREATE TABLE changes (
	id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	CONSTRAINT pk_changes PRIMARY KEY (id)
);
INSERT INTO changes VALUES(1,14);
CREATE TABLE suites (
	id INTEGER NOT NULL,
	name VARCHAR(200) NOT NULL,
	langpair VARCHAR(40) NOT NULL,
	questions JSON NOT NULL,
	imported JSON NOT NULL,
	revision_id INTEGER,
	outputs_changed INTEGER NOT NULL,
	created TEXT NOT NULL,
	CONSTRAINT pk_suites PRIMARY KEY (id),
	CONSTRAINT uq_suites_name UNIQUE (name)
);
INSERT INTO suites VALUES(1,'little','de-en','{}','{"words/schloss": "b1b17e62e6357b30", "words/strauss": "de9bfa67f9394100"}',3,14,'2026-11-16T02:13:23.636535Z');
CREATE TABLE users (
	id INTEGER NOT NULL,
	name VARCHAR(200) NOT NULL,
	password TEXT,
	role VARCHAR(20) NOT NULL,
	active BOOLEAN NOT NULL,
	settings JSON NOT NULL,
	created TEXT NOT NULL,
	CONSTRAINT pk_users PRIMARY KEY (id),
	CONSTRAINT uq_users_name UNIQUE (name)
);
INSERT INTO users VALUES(1,'boss',NULL,'admin',1,'{}','2026-11-16T02:13:23.627532Z');
INSERT INTO users VALUES(2,'Anna',NULL,'annotator',1,'{}','2026-11-16T02:13:23.832207Z');
INSERT INTO users VALUES(3,'Ben',NULL,'annotator',1,'{}','2026-11-16T02:13:23.832887Z');
INSERT INTO users VALUES(4,'Ada',NULL,'adjudicator',1,'{}','2026-11-16T02:13:23.833337Z');
CREATE TABLE items (
	id INTEGER NOT NULL,
	suite_id INTEGER NOT NULL,
	"key" TEXT NOT NULL,
	position INTEGER NOT NULL,
	version_id INTEGER,
	changed INTEGER NOT NULL,
	CONSTRAINT pk_items PRIMARY KEY (id),
	CONSTRAINT fk_items_suite_id FOREIGN KEY(suite_id) REFERENCES suites (id),
	CONSTRAINT uq_items_suite_id_key UNIQUE (suite_id, "key")
);
INSERT INTO items VALUES(1,1,'words/schloss',0,4,10);
INSERT INTO items VALUES(2,1,'words/strauss',1,2,2);
INSERT INTO items VALUES(3,1,'idioms/pferde',2,5,13);
CREATE TABLE revisions (
	id INTEGER NOT NULL,
	suite_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	created TEXT NOT NULL,
	comment TEXT NOT NULL,
	heading JSON NOT NULL,
	CONSTRAINT pk_revisions PRIMARY KEY (id),
	CONSTRAINT fk_revisions_suite_id FOREIGN KEY(suite_id) REFERENCES suites (id),
	CONSTRAINT fk_revisions_user_id FOREIGN KEY(user_id) REFERENCES users (id),
	CONSTRAINT uq_revisions_suite_id_number UNIQUE (suite_id, number)
);
INSERT INTO revisions VALUES(1,1,1,1,'2026-11-16T02:13:23.642377Z','first','{"name": "little", "langpair": "de-en", "version": "1.10", "licence": "CC0", "authors": ["Ada", "Ben"], "description": "Two words and an idiom.", "canary": "little-canary", "taxonomy": {"Ambiguity": {"Words": "one word, two meanings"}, "Idioms": {"Idiom": ""}}}');
INSERT INTO revisions VALUES(2,1,2,2,'2026-11-16T02:13:23.911514Z','latches lock','{"name": "little", "langpair": "de-en", "version": "1.10", "licence": "CC0", "authors": ["Ada", "Ben"], "description": "Two words and an idiom.", "canary": "little-canary", "taxonomy": {"Ambiguity": {"Words": "one word, two meanings"}, "Idioms": {"Idiom": ""}}}');
INSERT INTO revisions VALUES(3,1,3,1,'2026-11-16T02:13:23.952789Z','without horses','{"name": "little", "langpair": "de-en", "version": "1.10", "licence": "CC0", "authors": ["Ada", "Ben"], "description": "Two words and an idiom.", "canary": "little-canary", "taxonomy": {"Ambiguity": {"Words": "one word, two meanings"}, "Idioms": {"Idiom": ""}}}');
CREATE TABLE sessions (
	token VARCHAR(64) NOT NULL,
	user_id INTEGER NOT NULL,
	created TEXT NOT NULL,
	expires TEXT NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (token),
	CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
CREATE TABLE systems (
	id INTEGER NOT NULL,
	suite_id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	name VARCHAR(200) NOT NULL,
	details JSON NOT NULL,
	file TEXT NOT NULL,
	imported TEXT NOT NULL,
	CONSTRAINT pk_systems PRIMARY KEY (id),
	CONSTRAINT fk_systems_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaigns (id),
	CONSTRAINT fk_systems_suite_id FOREIGN KEY(suite_id) REFERENCES suites (id),
	CONSTRAINT fk_systems_user_id FOREIGN KEY(user_id) REFERENCES users (id),
	CONSTRAINT uq_systems_suite_id_campaign_id_name UNIQUE (suite_id, campaign_id, name)
);
INSERT INTO systems VALUES(1,1,1,1,'A','{}','','2026-11-16T02:13:23.816049Z');
INSERT INTO systems VALUES(2,1,1,1,'B','{}','','2026-11-16T02:13:23.817194Z');
INSERT INTO systems VALUES(3,1,1,1,'C','{}','','2026-11-16T02:13:23.822355Z');
INSERT INTO systems VALUES(4,1,2,1,'Old','{"kind": "rbmt"}','','2026-11-16T02:13:23.946595Z');
CREATE TABLE rules (
	id INTEGER NOT NULL,
	item_id INTEGER NOT NULL,
	polarity VARCHAR(4) NOT NULL,
	kind VARCHAR(10) NOT NULL,
	value TEXT NOT NULL,
	flags VARCHAR(10) NOT NULL,
	note TEXT NOT NULL,
	user_id INTEGER NOT NULL,
	created TEXT NOT NULL,
	CONSTRAINT pk_rules PRIMARY KEY (id),
	CONSTRAINT fk_rules_item_id FOREIGN KEY(item_id) REFERENCES items (id),
	CONSTRAINT fk_rules_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
INSERT INTO rules VALUES(1,1,'pass','regex','\block\b','','',1,'2026-11-16T02:13:23.649809Z');
INSERT INTO rules VALUES(2,1,'fail','contains','castle','','',1,'2026-11-16T02:13:23.649809Z');
INSERT INTO rules VALUES(3,2,'pass','regex','\bBOUQUET\b','i','',1,'2026-11-16T02:13:23.649809Z');
INSERT INTO rules VALUES(4,2,'fail','contains','ostrich','','the bird',1,'2026-11-16T02:13:23.649809Z');
INSERT INTO rules VALUES(5,1,'pass','contains','latch','','',2,'2026-11-16T02:13:23.913050Z');
CREATE TABLE texts (
	id INTEGER NOT NULL,
	item_id INTEGER NOT NULL,
	digest VARCHAR(40) NOT NULL,
	value TEXT NOT NULL,
	first SMALLINT NOT NULL,
	ruled SMALLINT NOT NULL,
	reason VARCHAR(20) NOT NULL,
	evidence JSON NOT NULL,
	judged_with VARCHAR(40) NOT NULL,
	settled SMALLINT,
	disputed BOOLEAN NOT NULL,
	changed INTEGER NOT NULL,
	CONSTRAINT pk_texts PRIMARY KEY (id),
	CONSTRAINT fk_texts_item_id FOREIGN KEY(item_id) REFERENCES items (id),
	CONSTRAINT uq_texts_item_id_digest UNIQUE (item_id, digest)
);
INSERT INTO texts VALUES(1,1,'037a117596980d96b949d4451b8d5523a7df1539','The key is in the lock.',1,1,'','[[0, 18, 22]]','27b71beb27920b711af929049eeff956d5e99dd9',NULL,0,11);
INSERT INTO texts VALUES(2,2,'e6b876ffa6ce936d224e0b0617b792a72dd5c1b5','She got a bouquet.',1,1,'','[[0, 10, 17]]','fb3574dee3d6de06c8c23c35a0a3a4e6037bc4fe',NULL,0,4);
INSERT INTO texts VALUES(3,3,'0b8f84ae4baad3fca674edfeca3c68d8247b78cf','She is a great sport.',-1,-1,'no_match','[]','4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d',NULL,0,4);
INSERT INTO texts VALUES(4,1,'3a1270f16e4ae3bd29cd6f5115d41f9dac5f1999','The key is in the castle.',0,-1,'no_match','[]','27b71beb27920b711af929049eeff956d5e99dd9',NULL,0,11);
INSERT INTO texts VALUES(5,2,'bfee2c5fafa14fd6c5dac6b73a3db6b1219de780','She got an ostrich.',0,0,'','[[1, 11, 18]]','fb3574dee3d6de06c8c23c35a0a3a4e6037bc4fe',NULL,0,4);
INSERT INTO texts VALUES(6,3,'b19dd9664e5d704f864910757022cfc770e1603b','One can steal horses with her.',-1,-1,'no_match','[]','4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d',NULL,0,4);
INSERT INTO texts VALUES(7,1,'2049db13df5a8f2f378c038aa7fd5c6c8538688a','The key is in the latch.',-1,1,'','[[1, 18, 23]]','27b71beb27920b711af929049eeff956d5e99dd9',NULL,1,11);
INSERT INTO texts VALUES(8,2,'04ee5908f51e313d6648e06430f611129179dff8','She got a posy.',-1,-1,'no_match','[]','fb3574dee3d6de06c8c23c35a0a3a4e6037bc4fe',NULL,0,4);
INSERT INTO texts VALUES(9,3,'7a8ee2dc3c5fda9b913ea8a79703683ca9761554','She is fun.',-1,-1,'no_match','[]','4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d',NULL,0,9);
CREATE TABLE versions (
	id INTEGER NOT NULL,
	item_id INTEGER NOT NULL,
	revision_id INTEGER NOT NULL,
	category TEXT NOT NULL,
	phenomenon TEXT NOT NULL,
	source TEXT NOT NULL,
	tests TEXT NOT NULL,
	notes TEXT NOT NULL,
	tags JSON NOT NULL,
	examples JSON NOT NULL,
	held_out BOOLEAN NOT NULL,
	removed BOOLEAN NOT NULL,
	rules_hash VARCHAR(40) NOT NULL,
	CONSTRAINT pk_versions PRIMARY KEY (id),
	CONSTRAINT fk_versions_item_id FOREIGN KEY(item_id) REFERENCES items (id),
	CONSTRAINT fk_versions_revision_id FOREIGN KEY(revision_id) REFERENCES revisions (id)
);
INSERT INTO versions VALUES(1,1,1,'Ambiguity','Words','Der Schlüssel steckt im Schloss.','Schloss is the lock here','from a letter','["home"]','[["The key is in the lock."], ["The key is in the castle."]]',0,0,'92759ecfb543d7ddfc80acffb094a48dd9abf48b');
INSERT INTO versions VALUES(2,2,1,'Ambiguity','Words','Sie bekam einen Strauß.','','','[]','[[], []]',0,0,'fb3574dee3d6de06c8c23c35a0a3a4e6037bc4fe');
INSERT INTO versions VALUES(3,3,1,'Idioms','Idiom','Mit ihr kann man Pferde stehlen.','','','[]','[[], []]',1,0,'4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d');
INSERT INTO versions VALUES(4,1,2,'Ambiguity','Words','Der Schlüssel steckt im Schloss.','Schloss is the lock here','from a letter','["home"]','[["The key is in the lock."], ["The key is in the castle."]]',0,0,'27b71beb27920b711af929049eeff956d5e99dd9');
INSERT INTO versions VALUES(5,3,3,'Idioms','Idiom','Mit ihr kann man Pferde stehlen.','','','[]','[[], []]',1,1,'4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d');
CREATE TABLE judgements (
	id INTEGER NOT NULL,
	text_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	kind VARCHAR(20) NOT NULL,
	verdict VARCHAR(4),
	comment TEXT NOT NULL,
	acceptability INTEGER,
	tags JSON NOT NULL,
	blind BOOLEAN NOT NULL,
	seen JSON NOT NULL,
	undoes INTEGER,
	dated TEXT NOT NULL,
	created TEXT NOT NULL,
	CONSTRAINT pk_judgements PRIMARY KEY (id),
	CONSTRAINT fk_judgements_text_id FOREIGN KEY(text_id) REFERENCES texts (id),
	CONSTRAINT fk_judgements_undoes FOREIGN KEY(undoes) REFERENCES judgements (id),
	CONSTRAINT fk_judgements_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
INSERT INTO judgements VALUES(1,7,2,'judgement','pass','a lock too',NULL,'[]',1,'[]',NULL,'2026-11-16','2026-11-16T02:13:23.860122Z');
INSERT INTO judgements VALUES(2,7,3,'judgement','fail','',NULL,'[]',1,'[]',NULL,'2026-11-16','2026-11-16T02:13:23.880901Z');
INSERT INTO judgements VALUES(3,9,4,'judgement','pass','',NULL,'[]',1,'[]',NULL,'2026-11-16','2026-11-16T02:13:23.891958Z');
INSERT INTO judgements VALUES(4,9,4,'undo',NULL,'',NULL,'[]',0,'[]',3,'2026-11-16','2026-11-16T02:13:23.895942Z');
CREATE TABLE outputs (
	system_id INTEGER NOT NULL,
	item_id INTEGER NOT NULL,
	text_id INTEGER NOT NULL,
	raw TEXT,
	CONSTRAINT pk_outputs PRIMARY KEY (system_id, item_id),
	CONSTRAINT fk_outputs_item_id FOREIGN KEY(item_id) REFERENCES items (id),
	CONSTRAINT fk_outputs_system_id FOREIGN KEY(system_id) REFERENCES systems (id),
	CONSTRAINT fk_outputs_text_id FOREIGN KEY(text_id) REFERENCES texts (id)
);
INSERT INTO outputs VALUES(1,1,1,NULL);
INSERT INTO outputs VALUES(1,2,2,NULL);
INSERT INTO outputs VALUES(1,3,3,NULL);
INSERT INTO outputs VALUES(2,3,6,NULL);
INSERT INTO outputs VALUES(2,1,4,NULL);
INSERT INTO outputs VALUES(2,2,5,NULL);
INSERT INTO outputs VALUES(3,3,9,NULL);
INSERT INTO outputs VALUES(3,2,8,NULL);
INSERT INTO outputs VALUES(3,1,7,NULL);
INSERT INTO outputs VALUES(4,1,7,NULL);
INSERT INTO outputs VALUES(4,3,9,NULL);
INSERT INTO outputs VALUES(4,2,8,NULL);
CREATE TABLE version_rules (
	version_id INTEGER NOT NULL,
	position INTEGER NOT NULL,
	rule_id INTEGER NOT NULL,
	CONSTRAINT pk_version_rules PRIMARY KEY (version_id, position),
	CONSTRAINT fk_version_rules_rule_id FOREIGN KEY(rule_id) REFERENCES rules (id),
	CONSTRAINT fk_version_rules_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
INSERT INTO version_rules VALUES(1,0,1);
INSERT INTO version_rules VALUES(1,1,2);
INSERT INTO version_rules VALUES(2,0,3);
INSERT INTO version_rules VALUES(2,1,4);
INSERT INTO version_rules VALUES(4,0,1);
INSERT INTO version_rules VALUES(4,1,5);
CREATE TABLE seen (
	user_id INTEGER NOT NULL,
	text_id INTEGER NOT NULL,
	what SMALLINT NOT NULL,
	CONSTRAINT pk_seen PRIMARY KEY (user_id, text_id),
	CONSTRAINT fk_seen_text_id FOREIGN KEY(text_id) REFERENCES texts (id),
	CONSTRAINT fk_seen_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
INSERT INTO seen VALUES(3,8,1);
CREATE INDEX ix_items_changed ON items (changed);
CREATE INDEX ix_rules_item_id ON rules (item_id);
CREATE INDEX ix_texts_changed ON texts (changed);
CREATE INDEX ix_versions_item_id_id ON versions (item_id, id);
CREATE INDEX ix_judgements_text_id ON judgements (text_id);
CREATE INDEX ix_judgements_user_id_created ON judgements (user_id, created);
CREATE INDEX ix_outputs_item_id ON outputs (item_id);
COMMIT;
