// The playing tune as a file and in a link. box.js has the way to the box: `music` is the tune's document, `midiFile` its MIDI file,
// and `openTune` takes the document of a link and returns the box's line about it.
"use strict";

const newsLine = document.getElementById("news");
const shareButton = document.getElementById("share");
const exportButtons = { json: document.getElementById("export"), mid: document.getElementById("export-midi") };

function offerMusic() {
  for (const button of Object.values(exportButtons)) button.hidden = false;
  shareButton.hidden = !("CompressionStream" in window);
}

// Gives a file to the player.
function download(name, parts, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const fileName = (tune) => (tune.name ?? "tune").toLowerCase().replace(/[^a-z0-9]+/g, "-");

// Does `body` with the playing tune when `button` is pressed.
function onPress(button, body) {
  button.addEventListener("click", async () => {
    try {
      await body(await music());
    } catch (error) {
      newsLine.textContent = `the tune does not come: ${error.message}`;
    }
  });
}

onPress(exportButtons.json, (tune) => {
  download(`${fileName(tune)}.json`, [`${JSON.stringify(tune, null, 2)}\n`], "application/json");
});
onPress(exportButtons.mid, async (tune) => download(`${fileName(tune)}.mid`, [await midiFile()], "audio/midi"));

// A piece in a link: the address ends with #1 and base64url of a CRC-32 and the compressed document.

// The address of the page to which links lead; null for this one.
let siteAddress = null;
const linkVersion = "1";
const linkLengthMax = 2000;

const crcTable = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

// CRC-32 of ISO 3309, as in RFC 1952, section 8.
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = crcTable[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

async function passed(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function linkOf(tune) {
  const { createdAt, modifiedAt, ...rest } = tune;
  const packed = await passed(new TextEncoder().encode(JSON.stringify(rest)), new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(4 + packed.length);
  new DataView(bytes.buffer).setUint32(0, checksum(packed));
  bytes.set(packed, 4);
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${siteAddress ?? location.origin + location.pathname}#${linkVersion}`
    + code.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The document of a link's `code`; throws an error that says what is wrong.
async function documentOf(code) {
  if (code[0] !== linkVersion) throw new Error("it is from a newer PixelBoop: load this page again");
  const damage = new Error("it is damaged, or cut off: ask for it again");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(code.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw damage;
  }
  const packed = bytes.subarray(4);
  if (bytes.length < 5 || new DataView(bytes.buffer).getUint32(0) !== checksum(packed)) throw damage;
  return unpacked(packed);
}

// The largest document of a link, in bytes.
const documentMax = 1 << 20;

async function unpacked(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > documentMax) throw new Error("its tune is too large");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function openLink() {
  if (location.hash.length < 2) return;
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  try {
    newsLine.textContent = await openTune(await documentOf(code));
  } catch (error) {
    newsLine.textContent = `the link cannot be opened: ${error.message}`;
  }
}

window.addEventListener("hashchange", () => openLink());

onPress(shareButton, async (tune) => {
  const link = await linkOf(tune);
  // On the box's page a reload would take the tune into the library again.
  if (insideRate > 0) history.replaceState(null, "", link);
  const words = Object.assign(document.createElement("a"), { href: link, textContent: "the link to this tune" });
  const size = link.length > linkLengthMax ? `, ${link.length} characters: some programs cut it off` : "";
  // Browsers copy for pages of https and localhost only.
  const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  newsLine.replaceChildren(words, `${isCopied ? " is copied" : ": copy its address"}${size}`);
});
