import { defineConfig } from 'prisma/config'

/** For the Prisma CLI only. The server applies prisma/migrations by itself and reads its configuration elsewhere. */
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
})
