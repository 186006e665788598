import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
    'pglite-prisma-adapter',
    '@prisma/adapter-pg',
    'pg',
    'redis',
    'nodemailer',
    'pino',
    'prom-client',
    // Loads only after reflect-metadata has been loaded.
    '@peculiar/x509',
    'reflect-metadata',
    'rate-limiter-flexible',
    'sodium-native',
  ],
  // It runs in the background, so that its own address says what it may do; each check of it asks the server.
  headers: async () => [
    {
      source: '/sw.js',
      headers: [
        { key: 'content-type', value: 'text/javascript; charset=utf-8' },
        { key: 'cache-control', value: 'no-cache' },
        { key: 'content-security-policy', value: "default-src 'none'; connect-src 'self'; frame-ancestors 'none'" },
        { key: 'x-content-type-options', value: 'nosniff' },
        { key: 'service-worker-allowed', value: '/' },
      ],
    },
  ],
  // No page asks for resized images. Without this, anybody could have them made, and kept on the disk, at /_next/image.
  images: { unoptimized: true },
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // The route files hold the service once each, and nobody asks for them: the API does not pass through Next.
    preloadEntriesOnStart: false,
    // Writing the cache takes a third of a build, and a build with it takes no less time than one without.
    turbopackFileSystemCacheForBuild: false,
    // Keeps what nobody uses of CommonJS packages out of the browser.
    turbopackCjsScopeHoisting: true,
    turbopackCjsTreeShaking: true,
    // With it, `npm run dev` goes on answering with the old rules after a change deep in server/.
    turbopackServerFastRefresh: false,
  },
}

export default config
