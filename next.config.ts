import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    '@electric-sql/pglite',
    'pglite-prisma-adapter',
    '@prisma/adapter-pg',
    'pg',
    'redis',
    'nodemailer',
    'pino',
    'rate-limiter-flexible',
  ],
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Keeps what nobody uses of CommonJS packages out of the browser.
    turbopackCjsScopeHoisting: true,
    turbopackCjsTreeShaking: true,
    // With it, `npm run dev` goes on answering with the old rules after a change deep in server/.
    turbopackServerFastRefresh: false,
  },
}

export default config
