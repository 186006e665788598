import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** How soon a server answers and ends: one file at a time. */
const timedSuites = [
  'test/security/transport.test.ts',
  'test/tool-server/stdio.test.ts',
  'test/tool-server/wire.test.ts',
]

/** Suites that start servers, and would not notice a busy machine. */
const patientSuites = [
  'test/processes/{api-alone,attend,built-files,lanes,secrets,stack-traces,start-refused,supervise,traces}.test.ts',
  'test/processes/{credentials,one-winner}.served.test.ts',
]

/** Suites that talk to server processes, or watch the clock; the others run beside each other inside the test process. */
const processSuites = ['test/processes/**/*.test.ts', 'test/faults/**/*.test.ts', ...timedSuites]

/** Suites that drive the built tool server against the service; `npm run test:rest` runs them. */
const toolServerSuites = ['test/tool-server/**/*.test.ts']
const buildOfTools = ['test/tool-server/build.ts']

/** Suites that try many cases or take a minute; `npm run test:rest` runs them. */
const longSuites = ['server/**/*.long.test.ts', 'test/**/*.long.test.ts']

/** Suites that `.ci/run` does not repeat on PostgreSQL, because nothing that they say depends on it. */
const sameOnPostgres = [
  // They need no database, or take any.
  '{components,scripts,tool-server,verify}/**',
  'server/base/{contract,core,protocol}/**',
  'server/base/platform/{capture-output,compose,config,logger,original-stack,outbound}.test.ts',
  'server/base/platform/database/data-directory-lock.test.ts',
  'server/base/platform/keys/sealer.test.ts',
  'server/base/platform/mailer/**',
  'server/base/platform/processor/stripe*.test.ts',
  'server/shared/notifications/{foreign-words,quiet-hours,words}.test.ts',
  'server/wallet/limits/{raise,rules,windows}.test.ts',
  'test/credentials/{dcql,verify}-differential.test.ts',
  'test/credentials/mutations/**',
  'test/federation/policy-properties.test.ts',
  'test/repository/**',
  'test/security/start.test.ts',
  // They are refused before a row is read.
  'server/transport/trpc/every-procedure.test.ts',
  'test/security/{bodies,every-credential}.test.ts',
  // `npm run test:rest` runs them on PostgreSQL: all vectors, and the OAuth suites through the route files.
  'test/federation/policy-vectors.test.ts',
  'test/oauth/**',
]

/** What only a PostgreSQL server can show: several processes on one database. */
const served = process.env['TEST_DATABASE_URL'] ? [] : ['**/*.served.test.ts']

const serviceSuites = [
  'components/**/*.test.ts',
  'server/**/*.test.ts',
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'tool-server/src/**/*.test.ts',
  'verify/src/**/*.test.ts',
]
const otherSuites = [...processSuites, ...toolServerSuites, ...longSuites, ...served]

export default defineConfig({
  resolve: {
    alias: {
      '@': path.resolve(import.meta.dirname),
      'server-only': path.resolve(import.meta.dirname, 'test/support/empty.ts'),
    },
  },
  test: {
    globalSetup: ['test/support/database.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A test that fails once and then passes is marked "retry" in the list; look for the race in it.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // The default leaves one core idle, which is half of a machine with two.
    maxWorkers: '100%',
    // Loading the service takes longer than most files run, so the files of a worker share it.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'service', include: serviceSuites, exclude: otherSuites },
      },
      {
        extends: true,
        test: { name: 'on-postgres', include: serviceSuites, exclude: [...otherSuites, ...sameOnPostgres] },
      },
      {
        extends: true,
        test: { name: 'long', include: longSuites, testTimeout: 300_000 },
      },
      {
        extends: true,
        test: { name: 'route-files', include: ['test/oauth/**/*.test.ts'], env: { TEST_LANE: 'routes' } },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          include: patientSuites,
          exclude: served,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          globalSetup: buildOfTools,
          include: processSuites,
          exclude: [...patientSuites, ...served],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'tool-server',
          globalSetup: buildOfTools,
          include: toolServerSuites,
          exclude: timedSuites,
          testTimeout: 120_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
