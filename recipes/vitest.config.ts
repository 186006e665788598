import path from 'node:path'
import { mergeConfig } from 'vitest/config'
import service from '../vitest.config'

/** The recipes alone, with what the service's own tests are set up with. */
const { projects: _projects, ...test } = service.test ?? {}
export default mergeConfig(
  { ...service, test },
  {
    root: path.resolve(import.meta.dirname, '..'),
    test: {
      include: ['recipes/*.test.ts'],
      env: { OPENAI_AGENTS_DISABLE_TRACING: '1' },
      // As long as the other suites of the tool server have.
      testTimeout: 120_000,
      hookTimeout: 240_000,
    },
  },
)
