// The LEDs as a picture, for the page's worker and for films in the documentation.
"use strict";

// Share of an LED's light that its neighbours glow with.
const spread = [[0, 0, 0.36], [1, 0, 0.1], [-1, 0, 0.1], [0, 1, 0.1], [0, -1, 0.1], [1, 1, 0.06], [-1, 1, 0.06],
  [1, -1, 0.06], [-1, -1, 0.06]];
// The light of an LED that idles, which does not glow.
const idle = 12;

// Draws LEDs on a canvas, from the back: the dark diffuser with its cells; each LED's light in its cell, brighter in the middle; and
// the glow on its neighbours.
class Lights {
  constructor(surface) {
    this.surface = surface;
    this.pitch = 0;
    this.columns = 0;
    this.rows = 0;
  }

  // Sets the size: columns, rows, and pixels per LED. Returns whether it is another one; the canvas is then empty.
  resize(columns, rows, pitch) {
    if (columns === this.columns && rows === this.rows && pitch === this.pitch) return false;
    this.columns = columns;
    this.rows = rows;
    this.pitch = pitch;
    const width = this.surface.width = columns * pitch;
    const height = this.surface.height = rows * pitch;
    this.picture = this.surface.getContext("2d", { alpha: false });
    const layer = (w, h) => new OffscreenCanvas(w, h).getContext("2d");
    this.colours = layer(columns, rows);
    this.glow = layer(columns, rows);
    this.light = layer(width, height);
    this.cells = layer(width, height);
    this.image = new ImageData(columns, rows);
    this.blurred = new Float32Array(columns * rows * 3);
    this.cells.fillStyle = this.cells.createPattern(this.cell(), "repeat");
    this.cells.fillRect(0, 0, width, height);
    this.mask = this.light.createPattern(this.lens(), "repeat");
    return true;
  }

  tile(paint) {
    const context = new OffscreenCanvas(this.pitch, this.pitch).getContext("2d");
    paint(context, this.pitch / 2);
    return context.canvas;
  }

  // An unlit cell: black plastic, and a round diffuser that reflects a little light from above.
  cell() {
    return this.tile((context, middle) => {
      context.fillStyle = "#050506";
      context.fillRect(0, 0, this.pitch, this.pitch);
      const sheen = context.createRadialGradient(middle, middle * 0.7, 0, middle, middle, middle * 0.9);
      sheen.addColorStop(0, "#101013");
      sheen.addColorStop(0.86, "#0a0a0c");
      sheen.addColorStop(0.93, "#131316");
      sheen.addColorStop(1, "#05050600");
      context.fillStyle = sheen;
      context.beginPath();
      context.arc(middle, middle, middle * 0.9, 0, 2 * Math.PI);
      context.fill();
    });
  }

  // Transmission of an LED's light across its cell.
  lens() {
    return this.tile((context, middle) => {
      const shape = context.createRadialGradient(middle, middle, 0, middle, middle, middle * 0.88);
      shape.addColorStop(0, "rgba(0, 0, 0, 1)");
      shape.addColorStop(0.45, "rgba(0, 0, 0, 0.98)");
      shape.addColorStop(0.78, "rgba(0, 0, 0, 0.82)");
      shape.addColorStop(0.92, "rgba(0, 0, 0, 0.5)");
      shape.addColorStop(1, "rgba(0, 0, 0, 0)");
      context.fillStyle = shape;
      context.fillRect(0, 0, this.pitch, this.pitch);
    });
  }

  // Draws `pixels`: R, G, B of each LED, row by row.
  draw(pixels) {
    if (pixels.length !== this.columns * this.rows * 3) return;
    const { picture, image, colours, glow, light } = this;
    const { width, height } = this.surface;
    this.paint(pixels);
    colours.putImageData(image, 0, 0);
    this.blur(pixels);
    this.paint(this.blurred);
    glow.putImageData(image, 0, 0);

    light.globalCompositeOperation = "copy";
    light.imageSmoothingEnabled = false;
    light.drawImage(colours.canvas, 0, 0, width, height);
    light.globalCompositeOperation = "destination-in";
    light.fillStyle = this.mask;
    light.fillRect(0, 0, width, height);

    picture.globalAlpha = 1;
    picture.globalCompositeOperation = "copy";
    picture.drawImage(this.cells.canvas, 0, 0);
    picture.globalCompositeOperation = "source-over";
    picture.drawImage(light.canvas, 0, 0);
    picture.globalCompositeOperation = "lighter";
    picture.imageSmoothingEnabled = true;
    picture.imageSmoothingQuality = "high";
    picture.globalAlpha = 0.42;
    picture.drawImage(glow.canvas, 0, 0, width, height);
  }

  paint(pixels) {
    const { data } = this.image;
    for (let from = 0, to = 0; from < pixels.length; from += 3, to += 4) {
      data[to] = pixels[from];
      data[to + 1] = pixels[from + 1];
      data[to + 2] = pixels[from + 2];
      data[to + 3] = 255;
    }
  }

  // The blurred light of all LEDs, without the part common to all LEDs when the panel idles.
  blur(pixels) {
    const { columns, rows, blurred } = this;
    blurred.fill(0);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const from = (row * columns + column) * 3;
        if (pixels[from] <= idle && pixels[from + 1] <= idle && pixels[from + 2] <= idle) continue;
        for (const [right, down, part] of spread) {
          const x = column + right;
          const y = row + down;
          if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
          const to = (y * columns + x) * 3;
          blurred[to] += pixels[from] * part;
          blurred[to + 1] += pixels[from + 1] * part;
          blurred[to + 2] += pixels[from + 2] * part;
        }
      }
    }
  }
}
