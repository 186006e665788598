import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { plainName } from '@/components/lib/plain-text'
import { MerchantPage } from '@/components/merchants/merchant-page'
import { verificationTexts } from '@/components/merchants/verification-messages'
import { readMerchant } from './read-merchant'

interface MerchantProps {
  readonly params: Promise<{ readonly id: string }>
}

export async function generateMetadata({ params }: MerchantProps): Promise<Metadata> {
  const merchant = await readMerchant((await params).id)
  return { title: plainName(merchant.merchant_name) }
}

export default async function Merchant({ params }: MerchantProps) {
  const merchant = await readMerchant((await params).id)
  return <MerchantPage merchant={merchant} text={await readText(verificationTexts)} />
}
