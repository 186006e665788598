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
  // Keeps what nobody uses of CommonJS packages out of the browser.
  experimental: { turbopackCjsScopeHoisting: true, turbopackCjsTreeShaking: true },
}

export default config
