/** The queue that people would pick on one machine: a table, one transaction a step, each synced before it counts. */
import Database from 'better-sqlite3';

export function openQueue(path) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(
    'CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, text TEXT, state TEXT, reply TEXT, message INTEGER)',
  );
  const put = db.prepare("INSERT OR IGNORE INTO jobs (id, text, state) VALUES (?, ?, 'waiting')");
  const first = db.prepare("SELECT id, text FROM jobs WHERE state = 'waiting' ORDER BY id LIMIT 1");
  const claim = db.prepare("UPDATE jobs SET state = 'submitted' WHERE id = ? AND state = 'waiting'");
  const record = db.prepare("UPDATE jobs SET state = 'sending', reply = ? WHERE id = ?");
  const settle = db.prepare("UPDATE jobs SET state = 'sent', message = ? WHERE id = ?");
  return {
    put: (id, text) => put.run(id, text),
    first: () => first.get(),
    claim: (id) => claim.run(id).changes === 1,
    record: (id, reply) => record.run(reply, id),
    settle: (id, message) => settle.run(message, id),
    close: () => db.close(),
  };
}
