// SPDX-License-Identifier: GPL-2.0-only
/*
 * vgpio - a virtual GPIO chip with edge interrupts for tests.
 *
 * Write "LINE VALUE\n" to /dev/vgpio-ctl to drive an input from outside, and
 * "LINE VALUE OUTPUT LEVEL\n" to drive it whenever the program sets OUTPUT to
 * LEVEL, like the fault line of a supply; a VALUE of 2 ends that.
 * Read it for one text line per change: "NS LINE in|out VALUE\n", with the
 * direction or output value set by the program under test. A released line
 * becomes an input, as on a Raspberry Pi with strict_gpiod, and its pull-down
 * makes it low.
 */
#include <linux/gpio/driver.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/kfifo.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#define MAXL 64
static uint lines = 32;
module_param(lines, uint, 0444);
static char *label = "vgpio";
module_param(label, charp, 0444);

static struct platform_device *pdev;
static struct gpio_chip gc;
static DEFINE_SPINLOCK(lock);
static bool value[MAXL], is_out[MAXL], unmasked[MAXL];
static struct { bool is_set, value; unsigned int line; } coupled[MAXL][2];
static unsigned int trig[MAXL];
static struct kfifo fifo;
static DEFINE_MUTEX(rd_lock);
static DECLARE_WAIT_QUEUE_HEAD(rd_wait);

static void note(unsigned int o)	/* lock held */
{
	char s[48];
	int n = scnprintf(s, sizeof(s), "%llu %u %s %d\n", ktime_get_ns(), o,
			  is_out[o] ? "out" : "in", value[o]);

	if (kfifo_avail(&fifo) >= n)
		kfifo_in(&fifo, s, n);
	wake_up_interruptible(&rd_wait);
}

static int vg_get_direction(struct gpio_chip *c, unsigned int o)
{
	return is_out[o] ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static bool drive(unsigned int o, bool v)	/* lock held; whether its interrupt is due */
{
	bool due = value[o] != v && unmasked[o] &&
		   (trig[o] & (v ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING));

	value[o] = v;
	return due;
}

static void change(unsigned int o, int out, int v)	/* -1: leave */
{
	unsigned long f;
	int due = -1;

	spin_lock_irqsave(&lock, f);
	if (out >= 0)
		is_out[o] = out;
	if (v >= 0) {
		value[o] = v;
		if (coupled[o][v].is_set && drive(coupled[o][v].line, coupled[o][v].value))
			due = coupled[o][v].line;
	}
	note(o);
	spin_unlock_irqrestore(&lock, f);
	if (due >= 0)
		generic_handle_domain_irq_safe(gc.irq.domain, due);
}

static int vg_dir_in(struct gpio_chip *c, unsigned int o) { change(o, 0, -1); return 0; }
static int vg_dir_out(struct gpio_chip *c, unsigned int o, int v) { change(o, 1, !!v); return 0; }
static void vg_free(struct gpio_chip *c, unsigned int o)
{
	if (is_out[o])
		change(o, 0, 0);
}
static int vg_get(struct gpio_chip *c, unsigned int o) { return value[o]; }
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
static int vg_set(struct gpio_chip *c, unsigned int o, int v) { change(o, -1, !!v); return 0; }
#else
static void vg_set(struct gpio_chip *c, unsigned int o, int v) { change(o, -1, !!v); }
#endif
static int vg_config(struct gpio_chip *c, unsigned int o, unsigned long cfg) { return 0; }

static void vg_mask(struct irq_data *d)
{
	unmasked[irqd_to_hwirq(d)] = false;
	gpiochip_disable_irq(&gc, irqd_to_hwirq(d));
}
static void vg_unmask(struct irq_data *d)
{
	gpiochip_enable_irq(&gc, irqd_to_hwirq(d));
	unmasked[irqd_to_hwirq(d)] = true;
}
static int vg_set_type(struct irq_data *d, unsigned int type)
{
	trig[irqd_to_hwirq(d)] = type & IRQ_TYPE_SENSE_MASK;
	return 0;
}
static const struct irq_chip vg_irq = {
	.name = "vgpio", .irq_mask = vg_mask, .irq_unmask = vg_unmask,
	.irq_set_type = vg_set_type, .flags = IRQCHIP_IMMUTABLE, GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static ssize_t ctl_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	char s[32];
	unsigned int o, v, output, level;
	unsigned long fl;
	bool fire;
	int count;

	if (n >= sizeof(s) || copy_from_user(s, buf, n))
		return -EINVAL;
	s[n] = 0;
	count = sscanf(s, "%u %u %u %u", &o, &v, &output, &level);
	if (count == 4 && o < lines && v <= 2 && output < lines && level <= 1) {
		spin_lock_irqsave(&lock, fl);
		coupled[output][level].is_set = v < 2;
		coupled[output][level].value = v == 1;
		coupled[output][level].line = o;
		spin_unlock_irqrestore(&lock, fl);
		return n;
	}
	if (count != 2 || o >= lines || v > 1)
		return -EINVAL;
	spin_lock_irqsave(&lock, fl);
	if (is_out[o]) {
		spin_unlock_irqrestore(&lock, fl);
		return -EPERM;
	}
	fire = drive(o, v);
	spin_unlock_irqrestore(&lock, fl);
	if (fire)
		generic_handle_domain_irq_safe(gc.irq.domain, o);
	return n;
}

static ssize_t ctl_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
	unsigned int copied = 0;
	int ret;

	if (kfifo_is_empty(&fifo)) {
		if (f->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(rd_wait, !kfifo_is_empty(&fifo));
		if (ret)
			return ret;
	}
	mutex_lock(&rd_lock);
	ret = kfifo_to_user(&fifo, buf, n, &copied);
	mutex_unlock(&rd_lock);
	return ret ? ret : copied;
}

static __poll_t ctl_poll(struct file *f, poll_table *w)
{
	poll_wait(f, &rd_wait, w);
	return EPOLLOUT | (kfifo_is_empty(&fifo) ? 0 : EPOLLIN | EPOLLRDNORM);
}

static const struct file_operations ctl_fops = {
	.owner = THIS_MODULE, .read = ctl_read, .write = ctl_write, .poll = ctl_poll,
};
static struct miscdevice ctl_misc = {
	.minor = MISC_DYNAMIC_MINOR, .name = "vgpio-ctl", .fops = &ctl_fops,
};

static int __init vgpio_init(void)
{
	int ret;

	if (!lines || lines > MAXL)
		return -EINVAL;
	ret = kfifo_alloc(&fifo, 1 << 20, GFP_KERNEL);
	if (ret)
		return ret;
	pdev = platform_device_register_simple("vgpio", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pdev)) {
		ret = PTR_ERR(pdev);
		goto err_fifo;
	}
	gc = (struct gpio_chip) {
		.label = label, .parent = &pdev->dev, .owner = THIS_MODULE, .base = -1,
		.ngpio = lines, .get_direction = vg_get_direction,
		.direction_input = vg_dir_in, .direction_output = vg_dir_out,
		.free = vg_free, .get = vg_get, .set = vg_set, .set_config = vg_config,
	};
	gpio_irq_chip_set_chip(&gc.irq, &vg_irq);
	gc.irq.handler = handle_simple_irq;
	gc.irq.default_type = IRQ_TYPE_NONE;
	ret = gpiochip_add_data(&gc, NULL);
	if (ret)
		goto err_pdev;
	ret = misc_register(&ctl_misc);
	if (!ret)
		return 0;
	gpiochip_remove(&gc);
err_pdev:
	platform_device_unregister(pdev);
err_fifo:
	kfifo_free(&fifo);
	return ret;
}

static void __exit vgpio_exit(void)
{
	misc_deregister(&ctl_misc);
	gpiochip_remove(&gc);
	platform_device_unregister(pdev);
	kfifo_free(&fifo);
}

module_init(vgpio_init);
module_exit(vgpio_exit);
MODULE_DESCRIPTION("virtual GPIO chip driven through /dev/vgpio-ctl");
MODULE_LICENSE("GPL");
