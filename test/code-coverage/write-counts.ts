/** A worker of vitest is ended from outside, and would leave no counts. */
import { takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

afterAll(takeCoverage);
