// One process of Emmett's writers: orders come as JSON, one a line; so do the answers.
//   {"payload": [[topic, data], …], "writers": 4}    connects and saves once each: {"ready": true}
//   {"begin": seconds, "seconds": 2}                  {"took": [[milliseconds of each save], …]}
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

const store = getPostgreSQLEventStore(process.argv[2]); // pooled, as it comes
let events = [];
let writers = 0;

const save = () =>
  store.appendToStream(`coup-${randomUUID()}`, events, {
    expectedStreamVersion: 'STREAM_DOES_NOT_EXIST',
  });
const now = () => performance.timeOrigin + performance.now();
const all = (work) => Promise.all(Array.from({ length: writers }, work));

async function load(begin, seconds) {
  const ends = (begin + seconds) * 1000;
  await new Promise((resolve) => setTimeout(resolve, begin * 1000 - now()));
  const took = await all(async () => {
    const own = [];
    for (let started = now(); started < ends; ) {
      await save();
      const ended = now();
      own.push(ended - started);
      started = ended;
    }
    return own;
  });
  return { took };
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  let answer = { ready: true };
  if (order.payload) {
    events = order.payload.map(([type, data]) => ({ type, data }));
    writers = order.writers;
    for (let n = 0; n < 3; n++) await all(save);
  } else {
    answer = await load(order.begin, order.seconds);
  }
  console.log(JSON.stringify(answer));
}
await store.close();
