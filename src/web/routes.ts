/** Which page an address means; null for none. Pure: an address that is odd is no page, never an error. */
import type { StateFilter } from './receipt-index.ts';
import { STATE_FILTERS } from './receipt-index.ts';

export type Route =
  | { page: 'overview' }
  | { page: 'requests'; query: string; state: StateFilter; number: number }
  | { page: 'activity' }
  | { page: 'request'; id: string }
  | { page: 'conversation'; id: string; number: number }
  | { page: 'picture'; id: string; side: 'in' | 'out'; index: number }
  | { page: 'events' }
  | { page: 'asset'; name: string };

const MAX_QUERY_UNITS = 200;
const ID = '([1-9]\\d{0,15})';
const CONVERSATION = new RegExp(`^/conversation/${ID}$`, 'u');
const REQUEST = new RegExp(`^/request/${ID}$`, 'u');
const PICTURE = new RegExp(`^/picture/${ID}/(in|out)/(\\d{1,4})$`, 'u');
const ASSET = /^\/asset\/([a-z]+\.[a-z]+)$/u;

/** @param path what follows the token */
export function routeOf(path: string, query: URLSearchParams): Route | null {
  if (path === '/') return { page: 'overview' };
  if (path === '/activity') return { page: 'activity' };
  if (path === '/events') return { page: 'events' };
  if (path === '/requests') {
    return { page: 'requests', query: searchWords(query), state: stateFilter(query), number: pageNumber(query) };
  }
  const request = REQUEST.exec(path)?.[1];
  if (request !== undefined) return { page: 'request', id: request };
  const conversation = CONVERSATION.exec(path)?.[1];
  if (conversation !== undefined) return { page: 'conversation', id: conversation, number: pageNumber(query) };
  const [, id, side, index] = PICTURE.exec(path) ?? [];
  if (id !== undefined && (side === 'in' || side === 'out')) return { page: 'picture', id, side, index: Number(index) };
  const name = ASSET.exec(path)?.[1];
  return name === undefined ? null : { page: 'asset', name };
}

function searchWords(query: URLSearchParams): string {
  return (query.get('q') ?? '').slice(0, MAX_QUERY_UNITS).trim();
}

function stateFilter(query: URLSearchParams): StateFilter {
  const wanted = query.get('state');
  return STATE_FILTERS.find((filter) => filter === wanted) ?? 'all';
}

/** Counted from 1. */
function pageNumber(query: URLSearchParams): number {
  const number = Number(query.get('page') ?? 1);
  return Number.isInteger(number) && number >= 1 && number <= 1e9 ? number : 1;
}
