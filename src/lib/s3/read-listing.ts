/** Pages of a listing of S3 (ListObjectsV2), from their XML. Pure. */
import { SaxesParser } from 'saxes';

/** An object of a bucket. */
export interface S3Object {
  readonly key: string;
  /** '' where the store has none of it. */
  readonly etag: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** A page of a listing. */
export interface ListingPage {
  readonly objects: readonly S3Object[];
  /** Asks for the next page; '' behind the last. */
  readonly next: string;
}

const maxDepth = 8;

/** Reads a page. Throws where it is none. */
export function readListing(xml: string): ListingPage {
  const objects: S3Object[] = [];
  const path: string[] = [];
  const facts = { isTruncated: '', nextToken: '', encodingType: '' };
  let found: Record<string, string> = {};
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    path.push(name.replace(/^.*:/, ''));
    if (path.length > maxDepth) {
      throw new Error('the listing is nested too deep');
    }
    text = '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('closetag', () => {
    const at = path.join('/');
    const name = path.pop() ?? '';
    if (at === 'ListBucketResult/Contents') {
      objects.push(makeObject(found, facts.encodingType === 'url'));
      found = {};
    } else if (at.startsWith('ListBucketResult/Contents/')) {
      found[name] = text;
    } else if (at === 'ListBucketResult/IsTruncated') {
      facts.isTruncated = text.trim();
    } else if (at === 'ListBucketResult/NextContinuationToken') {
      facts.nextToken = text;
    } else if (at === 'ListBucketResult/EncodingType') {
      facts.encodingType = text.trim();
    }
    text = '';
  });
  parser.write(xml).close();
  if (facts.isTruncated !== 'true' && facts.isTruncated !== 'false') {
    throw new Error('the listing does not say whether more follows');
  }
  if (facts.isTruncated === 'true' && facts.nextToken === '') {
    throw new Error('the listing says that more follows, and not where');
  }
  return { objects, next: facts.isTruncated === 'true' ? facts.nextToken : '' };
}

function makeObject({ Key = '', ETag = '', Size = '', LastModified = '' }: Record<string, string>, isEncoded: boolean): S3Object {
  const modifiedAt = new Date(LastModified);
  const bytes = Number(Size);
  if (Key === '' || Number.isNaN(modifiedAt.getTime()) || !Number.isSafeInteger(bytes) || bytes < 0) {
    throw new Error('the listing has an object without key, size or time');
  }
  return { key: isEncoded ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key, etag: ETag, bytes, modifiedAt };
}
