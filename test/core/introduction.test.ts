import { describe, expect, test } from 'vitest';
import { type Sighting, hasSharedSender, introductionsIn, parseIds } from '../../src/core/introduction.ts';

let updates = 0;
const sighting = (fields: Partial<Sighting> = {}): Sighting => {
  updates += 1;
  return {
    updateId: updates,
    date: 1_000 + updates,
    chat: { id: 7001, type: 'private', title: 'Owner' },
    from: { id: 7001, name: 'Owner', isBot: false },
    movedTo: null,
    ...fields,
  };
};
const group = { id: -500, type: 'group', title: 'Blog desk' };

test('each person is named once for each chat, the latest first', () => {
  const other = { id: 7002, name: 'Other', isBot: false };
  const found = introductionsIn([
    sighting(),
    sighting({ chat: group, from: other }),
    sighting({ chat: group }),
    sighting(),
  ]);
  expect(found.map(({ chatId, userId }) => [chatId, userId])).toEqual([
    [7001, 7001],
    [-500, 7001],
    [-500, 7002],
  ]);
});

test.each([
  ['service messages', 777000],
  ['anonymous administrators', 1087968824],
  ['channels', 136817688],
])('the account of %s is nobody, and is told of', (_, id) => {
  const sightings = [sighting({ chat: group, from: { id, name: 'Group', isBot: true } })];
  expect(introductionsIn(sightings)).toEqual([]);
  expect(hasSharedSender(sightings)).toBe(true);
});

test('other bots, and messages of nobody, are no introduction', () => {
  const sightings = [sighting({ from: { id: 9, name: 'Bot', isBot: true } }), sighting({ from: null })];
  expect(introductionsIn(sightings)).toEqual([]);
  expect(hasSharedSender(sightings)).toBe(false);
});

test('a group that became a supergroup meanwhile is named by its new id', () => {
  const sightings = [sighting({ chat: group }), sighting({ chat: group, movedTo: -1_000_500 })];
  expect(introductionsIn(sightings)).toMatchObject([{ chatId: -1_000_500, chatType: 'supergroup', userId: 7001 }]);
});

describe('ids that are typed', () => {
  test.each<[string, number[] | null]>([
    ['7001', [7001]],
    ['7001, 7002  7003', [7001, 7002, 7003]],
    ['-1001234567890', [-1001234567890]],
    ['', null],
    ['0', null],
    ['7001x', null],
    ['1e3', null],
    ['@owner', null],
    ['9007199254740993', null],
  ])('%j', (text, ids) => {
    expect(parseIds(text)).toEqual(ids);
  });
});
